"""Floor 2: ready-made knowledge as data: shapes of secrets, phrases of refusals."""
