/**
 * Going through locks on somebody's behalf: where it may look, which locks are wanted, and how many are looked at for one answer.
 *
 * <pre>
 *   LockSurvey                  goes through the locks, page after page: start here
 *     ReadablePart              where the caller may look
 *     LockFilter, LockOrder     which locks are wanted, and which come first
 *     SmallestFew               the first of many, without keeping the others
 *   SharedAnswers               one count for all who ask the same at the same time
 * </pre>
 *
 * Called by {@code routes} and {@code overview}, which list, count and sum up. Knows {@code auth}, and nothing of HTTP.
 */
@NullMarked
package dev.holdfast.server.survey;

import org.jspecify.annotations.NullMarked;
