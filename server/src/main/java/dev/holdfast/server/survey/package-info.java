/**
 * Going through locks on somebody's behalf: where it may look, which locks are wanted, and how many are looked at for one answer. Calls
 * come in from the routes that list, count and sum up; what is looked at is decided here. Knows nothing of HTTP.
 */
@NullMarked
package dev.holdfast.server.survey;

import org.jspecify.annotations.NullMarked;
