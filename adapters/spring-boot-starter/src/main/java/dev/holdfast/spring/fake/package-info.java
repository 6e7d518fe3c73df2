/**
 * Fake locks for tests of applications, which are all that calls in: {@link dev.holdfast.spring.fake.WithFakeLocks} on a test brings {@link
 * dev.holdfast.spring.fake.FakeLocksConfiguration}, whose beans stand in for the real client. Needs holdfast-test; no store is known.
 */
@NullMarked
package dev.holdfast.spring.fake;

import org.jspecify.annotations.NullMarked;
