package dev.holdfast.state.terraform;

import dev.holdfast.model.Account;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;

/**
 * Who asks.
 *
 * @param name as it is known here
 * @param anonymous whether nobody was asked who it is; then it is called what it calls itself
 * @param account whose locks it takes
 * @param actsAs on whose locks it may act: an admin acts on those of all
 * @param cause the same, for the audit
 */
public record LockCaller(String name, boolean anonymous, Account account, Account actsAs, Cause cause) {
    /** Whether it may act on this hold: its own, that of its group, or as admin. */
    boolean mayActOn(Hold hold) {
        return actsAs.mayActFor(hold.terms().account());
    }

    /** How it is named as the author of a version, if this is what it calls itself. */
    String calling(String itself) {
        if (itself.isEmpty() || itself.equals(name)) {
            return name;
        }
        return anonymous ? itself : name + " (" + itself + ")";
    }
}
