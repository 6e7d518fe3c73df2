package dev.holdfast.state.versions;

import dev.holdfast.Holder;
import java.util.List;
import java.util.Optional;

/**
 * A page of stacks.
 *
 * @param stacks by name, then environment
 * @param next where the next page starts; empty at the end. A page may have fewer than asked for and still not be the last
 */
public record StackPage(List<Item> stacks, Optional<String> next) {
    public StackPage {
        stacks = List.copyOf(stacks);
    }

    /**
     * One stack.
     *
     * @param stack which
     * @param current its current version; empty if there is none yet, but somebody holds its lock
     * @param holders who holds its lock, or parts of it
     */
    public record Item(Stack stack, Optional<StateVersion> current, List<Holder> holders) {
        public Item {
            holders = List.copyOf(holders);
        }

        public boolean isLocked() {
            return !holders.isEmpty();
        }
    }
}
