/**
 * What goes over the wire, and how it is written there: each shape once, for the server that writes it and the clients that read it. A
 * writer and its reader stand together.
 *
 * <p>{@link dev.holdfast.wire.LockJson} has locks and who is at them, {@link dev.holdfast.wire.LeaseJson} what holders and servers say to
 * each other, {@link dev.holdfast.wire.EventJson} events, {@link dev.holdfast.wire.ProblemJson} why something was not done.
 * {@link dev.holdfast.wire.TokenJson} API tokens, {@link dev.holdfast.wire.CleanupJson} and {@link dev.holdfast.wire.WebhookTestJson}
 * what came of a clean-up and of a test of webhooks.
 * {@link dev.holdfast.wire.Rfc3339} has the times, {@link dev.holdfast.wire.AnswerFields} says what an answer lacks, {@code json} has the values. State and guard have packages
 * {@code wire} of their own.
 */
@NullMarked
package dev.holdfast.wire;

import org.jspecify.annotations.NullMarked;
