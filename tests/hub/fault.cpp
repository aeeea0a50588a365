#include "tests/hub/fault.h"

#include <fnmatch.h>

namespace modelwatch::testhub {
namespace {

void add(Fault& sum, const Fault& fault) {
  if (fault.status) sum.status = fault.status;
  if (fault.body) sum.body = fault.body;
  if (fault.cut_after) sum.cut_after = fault.cut_after;
  if (fault.page_size) sum.page_size = fault.page_size;
  sum.hang |= fault.hang;
  sum.no_content_length |= fault.no_content_length;
  sum.gzip |= fault.gzip;
  sum.ignore_range |= fault.ignore_range;
  sum.stale |= fault.stale;
  sum.delay += fault.delay;
  sum.set_headers.insert(sum.set_headers.end(), fault.set_headers.begin(), fault.set_headers.end());
  sum.drop_headers.insert(sum.drop_headers.end(), fault.drop_headers.begin(), fault.drop_headers.end());
  if (!fault.before) return;
  sum.before = [first = std::move(sum.before), second = fault.before](World& world) {
    if (first) first(world);
    second(world);
  };
}

}  // namespace

Fault Faults::take(Listener listener, const std::string& method, const std::string& path) {
  Fault sum;
  for (Armed& armed : armed_) {
    const Fault& fault = armed.fault;
    if (fault.listener && *fault.listener != listener) continue;
    if (!fault.method.empty() && fault.method != method) continue;
    if (::fnmatch(fault.path.c_str(), path.c_str(), 0) != 0) continue;
    if (++armed.seen > fault.skip) add(sum, fault);
  }
  std::erase_if(armed_, [](const Armed& armed) {
    return armed.fault.times >= 0 && armed.seen >= armed.fault.skip + armed.fault.times;
  });
  return sum;
}

}  // namespace modelwatch::testhub
