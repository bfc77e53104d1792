"""The architectures of the networks, and how they become ONNX files and are read back."""
