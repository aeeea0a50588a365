#include "estimator/json/value.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace modelwatch::json {
namespace {

/// The exact decimal digits of an integral double, as Python's int(float) prints them.
std::string integral_digits(double d) {
  char buffer[std::numeric_limits<double>::max_exponent10 + 8];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::fixed, 0).ptr;
  return std::string(buffer, end);
}

bool equal_numbers(const Value& a, const Value& b) {
  if (a.big() && b.big()) return a.big()->digits == b.big()->digits;
  if (a.integer() && b.integer()) return *a.integer() == *b.integer();
  if (a.is_real() && b.is_real()) return *a.real() == *b.real() || (std::isnan(*a.real()) && std::isnan(*b.real()));
  if (a.is_integer() && b.is_integer()) return false;  // one fits 64 bits, the other does not
  const double real = *(a.is_real() ? a : b).real();
  const Value& whole = a.is_real() ? b : a;
  if (!std::isfinite(real) || real != std::trunc(real)) return false;
  if (real == 0) return whole.integer() == 0;
  return integral_digits(real) == (whole.big() ? whole.big()->digits : std::to_string(*whole.integer()));
}

bool equal_objects(const Object& a, const Object& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a) {
    const Value* other = b.find(key);
    if (!other || !(value == *other)) return false;
  }
  return true;
}

}  // namespace

Object::Object() = default;
Object::Object(std::initializer_list<Member> members) : members_(members) {}
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

std::size_t Object::size() const { return members_.size(); }
const Member* Object::begin() const { return members_.data(); }
const Member* Object::end() const { return members_.data() + members_.size(); }
Member* Object::begin() { return members_.data(); }
Member* Object::end() { return members_.data() + members_.size(); }

const Value* Object::find(std::string_view key) const {
  for (const auto& member : members_)
    if (member.first == key) return &member.second;
  return nullptr;
}

Value* Object::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

Value& Object::set(std::string key, Value value) {
  if (Value* found = find(key)) return *found = std::move(value);
  return append(std::move(key), std::move(value));
}

Value& Object::append(std::string key, Value value) {
  return members_.emplace_back(Member{std::move(key), std::move(value)}).second;
}

bool Object::erase(std::string_view key) {
  return std::erase_if(members_, [&](const Member& member) { return member.first == key; }) > 0;
}

Value::Value(unsigned long i) {
  if (i <= static_cast<unsigned long>(std::numeric_limits<std::int64_t>::max()))
    data_ = static_cast<std::int64_t>(i);
  else
    data_ = BigInteger{std::to_string(i)};
}

std::optional<bool> Value::boolean() const {
  const bool* b = std::get_if<bool>(&data_);
  return b ? std::optional(*b) : std::nullopt;
}

std::optional<std::int64_t> Value::integer() const {
  const auto* i = std::get_if<std::int64_t>(&data_);
  return i ? std::optional(*i) : std::nullopt;
}

std::optional<double> Value::real() const {
  if (const auto* d = std::get_if<double>(&data_)) return *d;
  if (const auto* i = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*i);
  if (const auto* b = std::get_if<BigInteger>(&data_)) {
    double d = 0;
    const char* end = b->digits.data() + b->digits.size();
    const auto read = std::from_chars(b->digits.data(), end, d);
    if (read.ec == std::errc::result_out_of_range)
      return b->digits.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return d;
  }
  return std::nullopt;
}

const Value* Value::find(std::string_view key) const {
  const Object* o = object();
  return o ? o->find(key) : nullptr;
}

bool operator==(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.data_.index() != b.data_.index()) return false;
  if (const Array* array = a.array()) return *array == *b.array();
  if (const Object* object = a.object()) return equal_objects(*object, *b.object());
  if (const std::string* s = a.string()) return *s == *b.string();
  if (a.is_bool()) return a.boolean() == b.boolean();
  return true;  // null
}

std::string child_pointer(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : key) {
    if (c == '~') pointer += "~0";
    else if (c == '/') pointer += "~1";
    else pointer += c;
  }
  return pointer;
}

const Value* at_pointer(const Value& root, std::string_view pointer) {
  const Value* here = &root;
  while (here && !pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const auto end = std::min(pointer.find('/'), pointer.size());
    std::string key;
    for (std::size_t i = 0; i < end; ++i) {
      if (pointer[i] == '~' && i + 1 < end) key += pointer[++i] == '1' ? '/' : '~';
      else key += pointer[i];
    }
    pointer.remove_prefix(end);
    if (const Array* array = here->array()) {
      std::size_t index = 0;
      const auto read = std::from_chars(key.data(), key.data() + key.size(), index);
      here = read.ec == std::errc() && read.ptr == key.data() + key.size() && index < array->size() ? &(*array)[index] : nullptr;
    } else {
      here = here->find(key);
    }
  }
  return here;
}

}  // namespace modelwatch::json
