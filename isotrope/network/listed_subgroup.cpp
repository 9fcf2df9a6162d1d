// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/listed_subgroup.hpp"

#include <cstddef>

namespace isotrope::network {

void ListedSubgroup::add(Node element) {
  const std::size_t before = elements_.size();
  for (Node multiple = element; !has_[multiple]; multiple = group_.add(multiple, element)) {
    for (std::size_t i = 0; i < before; ++i) {
      elements_.push_back(group_.add(elements_[i], multiple));
      has_[elements_.back()] = true;
    }
  }
}

}  // namespace isotrope::network
