// Which figures and sources stand behind some figures.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "provenance/answer.hpp"

namespace ullage::report {

// The source of that id, or nullptr. What it points to outlives the rendering.
using SourceLookup = std::function<const provenance::Source*(std::string_view id)>;

// The source; Defect where a claim cites one that does not exist, since a number without its
// source must not be shown.
const provenance::Source& source_of(const SourceLookup& sources, std::string_view id);

// The roots and everything that they are derived from, each once: the roots in the order given,
// then their inputs, nearest first. The order depends on nothing but the graph.
std::vector<provenance::FigureId> reachable(const provenance::Graph& graph,
                                            const std::vector<provenance::FigureId>& roots);

// The label of a figure: the weakest tier among the pinned claims that it rests on, primary where
// it rests on none.
provenance::Tier weakest_tier(const provenance::Graph& graph, provenance::FigureId figure);

// The figures of the results, in the order of the rows.
std::vector<provenance::FigureId> figures_of(std::span<const provenance::Row> rows);

// The ids of every source that the rows cite, in claims of the figures that their results rest on,
// in facts and in notes; sorted, each once.
std::vector<std::string_view> cited_sources(const provenance::Graph& graph,
                                            std::span<const provenance::Row> rows);

}  // namespace ullage::report
