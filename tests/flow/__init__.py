"""The whole journey of a request on the twin, with the real workflows: stories, storms, costs."""
