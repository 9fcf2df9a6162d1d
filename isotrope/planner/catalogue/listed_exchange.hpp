// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows whose schedules list the messages of all nodes, over an overlay, for cut-through machines. The parameters are
// shapes of plans by levels.
//
// What a choice costs is found from its messages, or its schedule, and kept; a schedule is written when its plan is made. With a
// root, node 0 stands for all if no link is missing: the plans from other roots are images of that one, or differ in a few hops.
//
// If nodes have failed, a row plans on a line of as many nodes as are left, and the plan is laid on these.
//
// Cost: O(messages) per choice; kept ones O(1).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/network/split_axes.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/overlay_rounds.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {

inline constexpr schedule::Node most_listed_nodes = 4096;
// Nodes of schedules with a block per node that are priced quickly; more if links are missing, as other plans take much longer there.
inline constexpr schedule::Node most_quick_nodes = 256, most_quick_nodes_around_links = 512;
// The same of schedules that are priced by counts, and written only if they are chosen.
inline constexpr schedule::Node most_quick_counted_nodes = 512;

class ListedExchange : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const final;
  std::vector<Parameters> choices(const Problem& problem) const final;
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const final;
  std::uint32_t chains(const Problem& problem, const Parameters& parameters) const final;
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const final;
  bool adds_alike(const Problem& problem, const Parameters& parameters) const final;
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const final;
  schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const final;
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const final;
  std::shared_ptr<const schedule::OverlayMessages> overlay_messages(const Problem& problem,
                                                                    const Parameters& parameters) const final;
  std::uint64_t local_reductions(const Problem& problem, const Parameters& parameters) const final;

 protected:
  using LevelShape = algorithm::LevelShape;
  using OverlaidSchedule = algorithm::OverlaidSchedule;

  /// On a network without failed nodes, as for shapes and write.
  virtual Reason unsuitable(const Problem& problem) const = 0;
  virtual std::vector<LevelShape> shapes(const Problem& problem) const = 0;
  virtual OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const = 0;
  /// The counts of that schedule if they are known without writing it.
  virtual std::optional<algorithm::ExchangeCounts> count(const Problem& /*problem*/,
                                                         const LevelShape& /*shape*/) const {
    return std::nullopt;
  }

 private:
  // What is kept of a schedule.
  struct Written {
    std::vector<cost::CutThroughRound> rounds;
    std::uint32_t parts;
    std::uint64_t reductions;             // of whole vectors, at one node
    std::optional<bool> adds_alike = {};  // once known
  };
  struct Kept {
    const Algorithm* algorithm;
    Network network;
    network::Failures failed;
    schedule::PortModel ports;
    schedule::Node root;
    std::vector<std::pair<LevelShape, Written>> of_shapes;
  };

  LevelShape shape_of(const Problem& problem, const Parameters& parameters) const;
  const OverlaidSchedule& last_written(const Problem& problem, const Parameters& parameters) const;
  OverlaidSchedule written_on_nodes_left(const Problem& problem, const LevelShape& shape) const;
  std::optional<algorithm::ExchangeCounts> counted(const Problem& problem, const LevelShape& shape) const;
  Written summary(const Problem& problem, const LevelShape& shape) const;
  Written& written(const Problem& problem, const Parameters& parameters) const;
};

/// Rows that may have a block per node.
class BlockwiseExchange : public ListedExchange {
 public:
  using ListedExchange::ListedExchange;

  bool is_quick(const Problem& problem) const final {
    if (has_counts()) return problem.network.order() <= most_quick_counted_nodes;
    return problem.network.order() <=
           (problem.failed.empty() ? most_quick_nodes : most_quick_nodes_around_links);
  }

 protected:
  /// Whether count() knows the counts of a whole network.
  virtual bool has_counts() const = 0;
};

/// Rows whose shapes, and what is written for them, are functions.
class ShapedExchange final : public BlockwiseExchange {
 public:
  using ReasonFunction = std::function<Reason(const Problem&)>;
  using ShapesFunction = std::function<std::vector<algorithm::LevelShape>(const Problem&)>;
  using WriteFunction =
      std::function<algorithm::OverlaidSchedule(const Problem&, const algorithm::LevelShape&)>;
  using CountFunction =
      std::function<algorithm::ExchangeCounts(const Problem&, const algorithm::LevelShape&)>;

  ShapedExchange(Traits traits, ReasonFunction reason, ShapesFunction shapes, WriteFunction write,
                 CountFunction count = {})
      : BlockwiseExchange(std::move(traits)),
        reason_(std::move(reason)),
        shapes_(std::move(shapes)),
        write_(std::move(write)),
        count_(std::move(count)) {}

 protected:
  Reason unsuitable(const Problem& problem) const override { return reason_(problem); }
  std::vector<LevelShape> shapes(const Problem& problem) const override { return shapes_(problem); }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return write_(problem, shape);
  }
  std::optional<algorithm::ExchangeCounts> count(const Problem& problem,
                                                 const LevelShape& shape) const override {
    if (!count_) return std::nullopt;
    return count_(problem, shape);
  }
  bool has_counts() const override { return static_cast<bool>(count_); }

 private:
  ReasonFunction reason_;
  ShapesFunction shapes_;
  WriteFunction write_;
  CountFunction count_;
};

/// Traits of rows that list all messages.
Traits listed_traits(std::string name, Collective collective, const char* networks, const char* ports,
                     const char* source, const char* claim);

Reason not_a_torus(const Problem& problem);
/// The reason of rows with a block of every node at every node.
Reason too_many_blocks(const Problem& problem);
/// The same, of rows that have another reason too, which comes first.
ShapedExchange::ReasonFunction or_too_many_blocks(ShapedExchange::ReasonFunction reason);
/// The reason of rows over the bits of node numbers.
Reason not_a_power_of_two(const Problem& problem);
/// The reason of rows that need extents that are powers of `base`.
Reason extents_without_power(const Problem& problem, std::uint32_t base);

/// The shapes of plans by levels on a torus.
using ShapesOnTorus = std::vector<algorithm::LevelShape> (*)(const network::SplitTorus&);
/// The shapes of a level exchange whose nodes send no more messages at once than the ports allow: on tori some of
/// `of_torus`, by other axes too, else programs of the whole group.
std::vector<algorithm::LevelShape> level_shapes(const Problem& problem, ShapesOnTorus of_torus);
/// The copies of one of them.
std::vector<algorithm::LevelPlan> levels_of(const Problem& problem, const algorithm::LevelShape& shape);

/// The one copy of recursive halving and doubling. @pre the number of nodes is a power of two.
std::vector<algorithm::LevelPlan> halving_levels(const Problem& problem);

/// The torus whose axes level exchanges follow, if there is one.
std::optional<network::SplitTorus> torus_of(const Problem& problem);

/// Numbers of copies: of one or two axes, of all, and mirrored ones too.
std::vector<std::uint32_t> copies_on(const network::SplitTorus& torus);

/// Whether a block per node fits in so many copies: N^2 messages each.
bool blocks_fit(const Problem& problem, std::uint64_t copies);
/// Whether the blocks that the divisions of a shape make are few enough to be listed, and its copies divide alike.
bool shares_fit(const network::SplitTorus& torus, const algorithm::LevelShape& shape);

/// The only shape of rows without parameters.
std::vector<algorithm::LevelShape> one_shape(const Problem& problem);
/// One copy, and one per axis and direction over all ports: no stage divides, if `with_vectors`, or all do, if the blocks
/// fit. @pre the network is a torus by its ports.
std::vector<algorithm::LevelShape> stage_shapes(const Problem& problem, bool with_vectors);
/// One copy, and `most` if they fit: a block per node and message, N^2 messages each way, and all ports.
std::vector<algorithm::LevelShape> one_or_more_copies(const Problem& problem, std::uint32_t most);
/// The same, at most one copy per axis and direction. @pre the network is a torus by its ports.
std::vector<algorithm::LevelShape> copies_on_axes(const Problem& problem);

}  // namespace isotrope::planner
