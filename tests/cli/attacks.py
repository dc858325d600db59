"""A little of `make torture`: one round of every attack."""
import torture

torture.main(0, 26)
