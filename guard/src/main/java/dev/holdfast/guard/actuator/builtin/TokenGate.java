package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import java.util.OptionalLong;

/** Lets tokens pass in rising order, for each resource. */
interface TokenGate {
    /** The newer token that has been seen, if there is one. Changes nothing. */
    OptionalLong newerThan(String resource, long token) throws ActFailure;

    /** Records the token, or returns the newer one that has been seen. One atomic step. */
    OptionalLong claim(String resource, long token) throws ActFailure;
}
