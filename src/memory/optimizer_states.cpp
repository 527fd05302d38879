// Rules by tensor. Sources stand in the table of optimizers (state_bytes.cpp).
#include "memory/optimizer_states.hpp"

#include "model/elements.hpp"
#include "model/layer_kinds.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::Axis;
using model::TensorGroup;
using model::Term;
using provenance::Graph;

// bitsandbytes, optimizer.py: states of tensors below this stay in fp32.
constexpr std::int64_t kSmallTensor = 4096;

Term eight_bit_moments() {
  // One byte an element and an fp32 maximum for each block of 256, twice.
  return Term(2) * (Term(1) + Term(4) / Term(256));
}

// A matrix as an optimizer sees it: rows, columns, and how many there are.
struct Matrix {
  Term rows;
  Term columns;
  Term number;
};
Matrix matrix_of(const TensorGroup& group) {
  Matrix matrix{Term(1), Term(group.shape.back()), Term(1)};
  matrix.rows = Term(group.shape[group.shape.size() - 2]);
  for (std::size_t axis = 0; axis + 2 < group.shape.size(); ++axis)
    matrix.number = matrix.number * Term(group.shape[axis]);
  for (const model::Extent& extent : group.repeat)
    matrix.number = matrix.number * Term(extent);
  return matrix;
}

bool is_two_dimensional(const TensorGroup& group) {
  return group.shape.size() >= 2 && !model::is_norm(group);
}

Term elements_of(Graph& graph, const TensorGroup& group) {
  return {graph, model::elements(graph, group).id()};
}

// GaLore: a projection of the shorter side and two moments along the longer one. A matrix has no
// more singular vectors than its shorter side (galore_projector.py, get_orthogonal_matrix).
Term projected(const Matrix& matrix, const model::Extent& asked, const Term& moment) {
  const bool wide = matrix.rows.value() <= matrix.columns.value();
  const Term& shorter = wide ? matrix.rows : matrix.columns;
  const Term& longer = wide ? matrix.columns : matrix.rows;
  const Term rank = asked.value > shorter.value() ? shorter : Term(asked);
  return matrix.number * moment * (shorter * rank + Term(2) * longer * rank);
}

}  // namespace

std::optional<Term> uniform_bytes(const OptimizerChoice& choice, const StateBytes& bytes) {
  if (choice.given) return Term(bytes.optimizer);
  switch (choice.optimizer->state) {
    case OptimizerState::two_moments:
      return Term(bytes.optimizer);
    case OptimizerState::one_moment:
      return Term(bytes.optimizer) / Term(2);
    case OptimizerState::nothing:
    case OptimizerState::frozen:
      return Term(0);
    case OptimizerState::eight_bit:
    case OptimizerState::factored:
    case OptimizerState::orthogonalised:
    case OptimizerState::projected:
      break;
  }
  return std::nullopt;
}

std::optional<Term> literal_bytes(const OptimizerChoice& choice, const StateBytes& bytes) {
  if (const auto uniform = uniform_bytes(choice, bytes)) return uniform;
  if (choice.optimizer->state == OptimizerState::eight_bit) return eight_bit_moments();
  return std::nullopt;
}

Term optimizer_bytes(Graph& graph, const OptimizerChoice& choice, const StateBytes& bytes,
                     const TensorGroup& group) {
  const Term elements = elements_of(graph, group);
  if (const auto uniform = uniform_bytes(choice, bytes)) return *uniform * elements;
  const Term moments(bytes.optimizer);
  switch (choice.optimizer->state) {
    case OptimizerState::eight_bit:
      if (single_tensor(group) < Rational(kSmallTensor)) return Term(8) * elements;
      return eight_bit_moments() * elements;
    case OptimizerState::factored: {
      if (!is_two_dimensional(group)) return Term(4) * elements;
      const Matrix matrix = matrix_of(group);
      return Term(4) * matrix.number * (matrix.rows + matrix.columns);
    }
    case OptimizerState::orthogonalised:
      return is_layer_matrix(group) ? moments / Term(2) * elements : moments * elements;
    case OptimizerState::projected:
      if (!is_layer_matrix(group)) return moments * elements;
      return projected(matrix_of(group), *choice.rank, moments / Term(2));
    case OptimizerState::two_moments:
    case OptimizerState::one_moment:
    case OptimizerState::nothing:
    case OptimizerState::frozen:
      break;
  }
  return moments * elements;
}

}  // namespace ullage::memory
