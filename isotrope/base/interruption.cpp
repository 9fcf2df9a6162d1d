// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/interruption.hpp"

#include <utility>

namespace isotrope {
namespace {

constinit thread_local const InterruptionCheck* in_force = nullptr;

}  // namespace

InterruptionCheck::InterruptionCheck(std::function<void()> check)
    : check_(std::move(check)), before_(std::exchange(in_force, this)) {}

InterruptionCheck::~InterruptionCheck() {
  in_force = before_;
}

void check_interruption() {
  if (in_force != nullptr) in_force->check()();
}

}  // namespace isotrope
