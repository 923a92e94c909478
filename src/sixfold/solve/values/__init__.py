"""The winning chance of every position: value iteration on the CPU or a GPU, the file format, and the verification."""
