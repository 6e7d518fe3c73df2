/**
 * {@code holdfast bench peers} and {@code holdfast bench growth}: Holdfast beside other lock libraries, in one run. {@code PeersMain} is the
 * program. {@code Comparison} starts servers and workers and gathers what they measured; each part is a class: {@code UncontendedPart}, {@code
 * ContendedPart}, {@code SmallerParts}, {@code GrowthPart}. Packages below: {@code contender} knows the libraries, {@code server} the servers,
 * {@code worker} measures in a fresh JVM, {@code report} shows.
 */
@NullMarked
package dev.holdfast.bench.peers;

import org.jspecify.annotations.NullMarked;
