/** Fake locks for tests of applications: {@link dev.holdfast.spring.fake.WithFakeLocks}. Only tests use this. */
@NullMarked
package dev.holdfast.spring.fake;

import org.jspecify.annotations.NullMarked;
