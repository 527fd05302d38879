// Names of the inventory's enumerations.
#include "model/inventory.hpp"

namespace ullage::model {

std::string_view name_of(Component component) {
  switch (component) {
    case Component::embedding:
      return "embedding";
    case Component::attention:
      return "attention";
    case Component::mlp:
      return "mlp";
    case Component::experts:
      return "experts";
    case Component::shared_experts:
      return "shared_experts";
    case Component::router:
      return "router";
    case Component::norms:
      return "norms";
    case Component::head:
      return "head";
    case Component::mtp:
      return "mtp";
    case Component::vision:
      return "vision";
    case Component::other:
      return "other";
  }
  return "attention";
}

std::string_view name_of(CacheKind kind) {
  switch (kind) {
    case CacheKind::full:
      return "full";
    case CacheKind::window:
      return "window";
    case CacheKind::chunked:
      return "chunked";
    case CacheKind::latent:
      return "latent";
    case CacheKind::index:
      return "index";
    case CacheKind::recurrent:
      return "recurrent";
    case CacheKind::cross:
      return "cross";
  }
  return "full";
}

}  // namespace ullage::model
