/**
 * What an application tells of its locks: {@link dev.holdfast.spring.actuator.HoldfastEndpoint} at {@code /actuator/holdfast}, a health
 * indicator, and metrics. Each is made only where its libraries are; health has one class for Spring Boot 3 and one for 4, since it has
 * moved. Nothing is known here of {@code WithLock}.
 */
@NullMarked
package dev.holdfast.spring.actuator;

import org.jspecify.annotations.NullMarked;
