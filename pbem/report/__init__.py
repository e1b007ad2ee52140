"""Turn reports: one view of what a side may know of a span of lines, printed twice."""
