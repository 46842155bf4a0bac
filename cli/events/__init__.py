"""Tournaments on this machine: folders of documents and logs, and what somebody has to do in them.

What follows from the bytes is :mod:`protocol.tournament`.  Nothing in a folder is trusted: everybody may write to it.
"""
