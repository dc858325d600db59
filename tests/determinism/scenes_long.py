"""The scenes that take longest, which scenes.py leaves out."""
import scenes

scenes.main(long=True)
