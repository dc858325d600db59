"""The scenes that scenes.py leaves out: those that take longest, and three of four others."""
import scenes

scenes.main(long=True)
