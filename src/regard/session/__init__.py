"""What is on screen, as data: a State (model, text and what was done to them, in order), its Trace, and the answers.

Command line, notebook, offline file and server all ask here, so that the same State means the same numbers everywhere.
Nothing here knows how an answer is shown or sent.
"""
