// Quantisation sections: quantization_config of a configuration, hf_quant_config.json and
// quantize_config.json beside it.
#pragma once

#include <string>

#include "import/open.hpp"

namespace ullage::import {

// Sets the model's native format and how its checkpoint stores each tensor, where a section states
// one: `document` is the configuration, `folder` where its files lie (empty for none). A method,
// strategy or list that the table of sections does not know leaves both unknown with the reason.
// Errors: those of the files; wrong_type, syntax and usage at the place of a value that cannot be.
base::Result<void> read_quantization(OpenContext& context, const document::Document& document,
                                     const std::string& folder, model::Model& model);

// The same for a card that states its format beside its shape: the section is read only when
// `stored_as` is called, which gives the errors then. The model keeps the card alive.
void defer_quantization(OpenContext& context, const std::shared_ptr<const catalog::Entry>& card,
                        model::Model& model);

}  // namespace ullage::import
