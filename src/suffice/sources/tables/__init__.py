"""Tables in memory as the parts of blocks: arrays, frames, mappings, sparse matrices."""
