// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/prefix_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/algorithm/scan/node_marks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

constexpr MessageId no_message = UINT32_MAX;

// The message of a set of contributors over a link: a hash table with open addressing.
class MessageTable {
 public:
  /// The place of the message, which is no_message at first.
  MessageId& message(std::uint64_t link, std::uint64_t set) {
    if (4 * used_ >= 3 * entries_.size()) grow();
    Entry& entry = find(entries_, link, set);
    if (entry.set == 0) {
      entry.link = link;
      entry.set = set;
      ++used_;
    }
    return entry.message;
  }

 private:
  struct Entry {
    std::uint64_t set = 0;  // 0: free
    std::uint64_t link = 0;
    MessageId message = no_message;
  };

  static Entry& find(std::vector<Entry>& entries, std::uint64_t link, std::uint64_t set) {
    std::size_t at = ((set + link * 0x9e3779b97f4a7c15) >> 7) & (entries.size() - 1);
    while (entries[at].set != 0 && (entries[at].set != set || entries[at].link != link))
      at = (at + 1) & (entries.size() - 1);
    return entries[at];
  }
  void grow() {
    std::vector<Entry> larger(2 * entries_.size());
    for (const Entry& entry : entries_) {
      if (entry.set != 0) find(larger, entry.link, entry.set) = entry;
    }
    entries_ = std::move(larger);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  std::size_t used_ = 0;
};

// The children of every node of a tree, one list after the other.
class Children {
 public:
  explicit Children(const WordTree& tree) : first_(tree.nodes.size() + 1, 0), nodes_(tree.nodes.size() - 1) {
    for (const Node node : tree.words()) ++first_[tree.parent[node] + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::size_t> next = first_;
    for (const Node node : tree.words()) nodes_[next[tree.parent[node]]++] = node;
  }
  std::span<const Node> of(Node node) const {
    return std::span(nodes_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Node> nodes_;
};

}  // namespace

ScanMessages prefix_messages(const Network& network, const WordTree& tree) {
  const std::vector<std::uint64_t> marks = node_marks(network.order());
  const Children children(tree);
  ScanMessages result(network.order());
  MessageTable table;
  std::vector<std::uint64_t> below(network.order());  // the contributors below each node of the tree
  std::vector<MessageId> sent(network.order()), received;
  const auto receive = [&](Node word) {
    received.clear();
    for (const Node child : children.of(word)) {
      if (sent[child] != no_message) received.push_back(sent[child]);
    }
  };
  network.visit([&](const auto&, const auto& group) {
    for (Node root = 0; root < network.order(); ++root) {
      std::ranges::fill(below, 0);
      for (std::size_t i = tree.nodes.size(); --i > 0;) {
        const Node word = tree.nodes[i];
        const Node from = group.add(root, word);
        const bool own = from <= root;
        const std::uint64_t set = below[word] + (own ? marks[from] : 0);
        sent[word] = no_message;
        if (set == 0) continue;
        below[tree.parent[word]] += set;
        const Port port = network.opposite(tree.port[word]);
        MessageId& message = table.message(std::uint64_t{from} * network.degree() + port, set);
        if (message == no_message) {
          receive(word);
          message = result.add({from, port, own}, received);
        }
        sent[word] = message;
      }
      receive(0);
      result.set_result(0, root, received);
    }
  });
  result.look_ahead();
  return result;
}

}  // namespace isotrope::algorithm
