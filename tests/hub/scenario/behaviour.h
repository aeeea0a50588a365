#pragma once
#include "tests/hub/scenario/arguments.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

/// Sets the switches that are given; the others stay.
void set_behaviour(Behaviour& behaviour, Arguments arguments);
/// A fault on the paths that `glob` matches.
Fault read_fault(const std::string& glob, Arguments& arguments);

}  // namespace modelwatch::testhub
