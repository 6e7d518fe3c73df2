/**
 * What every store of documents owes: {@link dev.holdfast.testkit.documents.DocumentContract}, on a
 * {@link dev.holdfast.testkit.documents.DocumentFixture}.
 */
@NullMarked
package dev.holdfast.testkit.documents;

import org.jspecify.annotations.NullMarked;
