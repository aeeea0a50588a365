#include "daemon/http/text_width.h"

namespace modelwatch::http {
namespace {

// Advance widths of Verdana in thousandths of an em, from ' ' to '~'.
constexpr short kAdvance[] = {
    352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632, 575, 775, 751, 421, 455, 693, 557, 843, 748, 787,
    603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 818, 636, 636, 601, 623, 521, 623, 596, 352, 623,
    633, 274, 344, 592, 274, 973, 633, 607, 623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818};
static_assert(sizeof kAdvance / sizeof *kAdvance == '~' - ' ' + 1);

}  // namespace

double text_width(std::string_view text) {
  int thousandths = 0;
  for (const char c : text)
    if ((c & 0xC0) != 0x80) thousandths += c >= ' ' && c <= '~' ? kAdvance[c - ' '] : 1000;
  return thousandths * 11 / 1000.0;
}

}  // namespace modelwatch::http
