"""Models as random variables: averages, description lengths, posterior modes, random walks."""
