"""From a request for a conversion to a plan, and from a plan to ops."""
