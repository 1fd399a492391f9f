"""Pictures of maps: rows placed in a plane, what that did to their distances, and grids of units."""
