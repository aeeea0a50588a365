#pragma once
#include <cstdint>
#include <string>

namespace modelwatch::estimator {

/// "13.18 TB", "310 GB", "39.5 GB", "8.51 GB", "84 MB": decimal units as makers of memory count, three figures or so.
std::string bytes_text(double bytes);
/// "684,489,845,504"
std::string grouped(std::int64_t number);
/// "684B", "32.76B", "596M": a count as people say it.
std::string count_text(double count);

}  // namespace modelwatch::estimator
