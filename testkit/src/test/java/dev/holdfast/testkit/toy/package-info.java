/** The smallest whole store, for readers of docs/NEW_STORE.md: {@link dev.holdfast.testkit.toy.ToyStore}, its fixture and its tests. */
@NullMarked
package dev.holdfast.testkit.toy;

import org.jspecify.annotations.NullMarked;
