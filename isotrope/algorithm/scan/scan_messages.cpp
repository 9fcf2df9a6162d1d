// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/scan_messages.hpp"

#include <algorithm>

namespace isotrope::algorithm {

MessageId ScanMessages::add(Message message, std::span<const MessageId> inputs) {
  messages_.push_back(message);
  inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  first_input_.push_back(inputs_.size());
  return static_cast<MessageId>(messages_.size() - 1);
}

void ScanMessages::look_ahead() {
  for (const auto& result : results_) {
    for (const MessageId id : result) messages_[id].ahead = 1;
  }
  for (std::size_t i = messages_.size(); i-- > 0;) {
    const auto id = static_cast<MessageId>(i);
    if (messages_[id].ahead == 0) continue;
    for (const MessageId input : inputs(id))
      messages_[input].ahead = std::max(messages_[input].ahead, messages_[id].ahead + 1);
  }
}

}  // namespace isotrope::algorithm
