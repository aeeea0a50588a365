#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace modelwatch::json {

class Value;
struct Member;
using Array = std::vector<Value>;

/// An integer outside int64, as its decimal digits with an optional '-': tokenizers write 10^30 as a "no limit".
struct BigInteger {
  std::string digits;
};

/// Members in the order of the document. Look-up is linear: documents from upstream are small or streamed.
class Object {
 public:
  Object();
  Object(std::initializer_list<Member> members);
  Object(const Object&);
  Object(Object&&) noexcept;
  Object& operator=(const Object&);
  Object& operator=(Object&&) noexcept;
  ~Object();

  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  /// Sets or replaces; a new key goes to the end. Returns the stored value.
  Value& set(std::string key, Value value);
  /// Appends without looking for an equal key: for keys known to be new.
  Value& append(std::string key, Value value);
  bool erase(std::string_view key);

  bool empty() const { return begin() == end(); }
  std::size_t size() const;
  const Member* begin() const;
  const Member* end() const;
  Member* begin();
  Member* end();

 private:
  std::vector<Member> members_;
};

/// One JSON value with numbers kept exactly, as Python's json module would hold it (NaN and infinities included).
/// It is the only document type of the product: what is read from upstream and what is printed by --json.
class Value {
 public:
  Value() = default;  // null
  Value(std::nullptr_t) {}
  Value(bool b) : data_(b) {}
  Value(int i) : data_(std::int64_t{i}) {}
  Value(long i) : data_(std::int64_t{i}) {}
  Value(long long i) : data_(static_cast<std::int64_t>(i)) {}
  Value(unsigned i) : data_(std::int64_t{i}) {}
  Value(unsigned long i);
  Value(unsigned long long i) : Value(static_cast<unsigned long>(i)) {}
  Value(double d) : data_(d) {}
  Value(BigInteger i) : data_(std::move(i)) {}
  Value(const char* s) : data_(std::string(s)) {}
  Value(std::string_view s) : data_(std::string(s)) {}
  Value(std::string s) : data_(std::move(s)) {}
  Value(Array a) : data_(std::move(a)) {}
  Value(Object o) : data_(std::move(o)) {}
  template <class T>
  Value(const std::optional<T>& o) : Value(o ? Value(*o) : Value()) {}
  template <class T>
  Value(const T*) = delete;  // a pointer is not a bool

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(data_) || is_big(); }
  bool is_big() const { return std::holds_alternative<BigInteger>(data_); }
  bool is_real() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_integer() || is_real(); }
  bool is_string() const { return std::holds_alternative<std::string>(data_); }
  bool is_array() const { return std::holds_alternative<Array>(data_); }
  bool is_object() const { return std::holds_alternative<Object>(data_); }

  /// Each returns null or empty where the value is of another kind; none converts between kinds
  /// (`real` also answers for integers).
  std::optional<bool> boolean() const;
  std::optional<std::int64_t> integer() const;  ///< empty for big integers and reals
  std::optional<double> real() const;
  const std::string* string() const { return std::get_if<std::string>(&data_); }
  const Array* array() const { return std::get_if<Array>(&data_); }
  Array* array() { return std::get_if<Array>(&data_); }
  const Object* object() const { return std::get_if<Object>(&data_); }
  Object* object() { return std::get_if<Object>(&data_); }
  const BigInteger* big() const { return std::get_if<BigInteger>(&data_); }

  /// Member of an object, or null where this is no object or has no such key.
  const Value* find(std::string_view key) const;

  /// Equality of meaning: member order is ignored, 1000000 equals 1e6, NaN equals NaN, -0.0 equals 0.
  friend bool operator==(const Value& a, const Value& b);

 private:
  std::variant<std::monostate, bool, std::int64_t, double, BigInteger, std::string, Array, Object> data_;
};

struct Member {
  std::string first;  ///< the key
  Value second;
};

/// RFC 6901: `parent` with one more reference token, '~' and '/' escaped.
std::string child_pointer(std::string_view parent, std::string_view key);
/// The value at an RFC 6901 pointer, or null where nothing is there. "" is the whole document.
const Value* at_pointer(const Value& root, std::string_view pointer);

}  // namespace modelwatch::json
