"""The scenes that scenes.py leaves out: those that take longest, and seven of eight others."""
import scenes

scenes.main(long=True)
