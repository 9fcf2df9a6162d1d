# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# The site of the pages in docs/ (`make docs`). tools/docs sets ISOTROPE_VERSION and DOXYGEN_XML.
import os

project = "Isotrope"
author = "The Isotrope authors"
copyright = "The Isotrope authors"
version = release = os.environ["ISOTROPE_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx.ext.mathjax"]
root_doc = "index"
exclude_patterns = ["site"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

# Links to headings are spelled as on GitHub.
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]

breathe_projects = {"isotrope": os.environ["DOXYGEN_XML"]}
breathe_default_project = "isotrope"
breathe_default_members = ("members",)
primary_domain = "cpp"
highlight_language = "none"

# Of `make check-links`.
linkcheck_anchors = False
linkcheck_timeout = 20
linkcheck_workers = 4

html_theme = "furo"
html_title = f"Isotrope {release}"
html_copy_source = False
html_show_sphinx = False
