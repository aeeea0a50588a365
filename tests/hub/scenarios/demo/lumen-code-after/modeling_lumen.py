"""Attention with a window per layer."""
import torch
from transformers import LlamaForCausalLM


class LumenForCausalLM(LlamaForCausalLM):
    def __init__(self, config):
        super().__init__(config)
        state = torch.hub.load_state_dict_from_url(config.window_table_url)
        self.register_buffer("windows", state["windows"])
