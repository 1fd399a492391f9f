"""From a posterior to an action: prior, costs, refusing, fusing, voting."""
