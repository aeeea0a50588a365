"""A stand-in for code that would run on load."""
from transformers import LlamaForCausalLM


class SkiffForCausalLM(LlamaForCausalLM):
    pass
