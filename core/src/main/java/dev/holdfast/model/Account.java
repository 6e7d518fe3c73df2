package dev.holdfast.model;

/**
 * The identity of a caller at the server that acted for it. A hold belongs to the account that took it: another one
 * cannot renew it or give it back, even if it knows the lease id.
 *
 * @param name the principal; empty where nobody is asked who they are, as in a process that uses the store itself
 * @param group accounts of one group may act for each other; empty for none
 */
public record Account(String name, String group) {
    /** Nobody in particular. */
    public static final Account NONE = new Account("", "");

    /** Checks both texts. */
    public Account {
        Names.text("account", name, 0);
        Names.text("group", group, 0);
        if (name.isEmpty() && !group.isEmpty()) {
            throw new IllegalArgumentException("an account without a name has no group, was '" + group + "'");
        }
    }

    /** Whether nobody in particular is meant. */
    public boolean isNone() {
        return name.isEmpty();
    }

    /**
     * Whether this account may act on what {@code taker} took. Anybody may act on what was taken without an account,
     * and without authentication nothing is checked.
     */
    public boolean mayActFor(Account taker) {
        return isNone() || taker.isNone() || name.equals(taker.name) || (!group.isEmpty() && group.equals(taker.group));
    }
}
