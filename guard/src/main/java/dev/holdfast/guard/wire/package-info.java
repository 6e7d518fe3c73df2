/**
 * The guard's values as JSON: each shape with its writer and its reader side by side, for servers, clients and the command line.
 * {@link dev.holdfast.guard.wire.AppJson} has apps and registrations, {@link dev.holdfast.guard.wire.AnswerJson} what was decided and
 * why, {@link dev.holdfast.guard.wire.ResourceJson} resources as they are shown, {@link dev.holdfast.guard.wire.StatusJson} whether an
 * app answers. {@link dev.holdfast.guard.wire.Members} reads single members, for these and for what the registry stores. A reader throws an {@link
 * java.lang.IllegalArgumentException} naming the member that is missing, and a {@link dev.holdfast.spi.StoreUnusableException} naming a word
 * that only a newer version knows.
 *
 * <p>Nothing here knows how a guard works, or how JSON travels.
 */
@NullMarked
package dev.holdfast.guard.wire;

import org.jspecify.annotations.NullMarked;
