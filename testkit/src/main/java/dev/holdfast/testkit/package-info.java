/**
 * What every store owes, written as tests, and the tools to check it. {@link dev.holdfast.testkit.RecordStoreContract} is about the store,
 * {@link dev.holdfast.testkit.EngineContract} about locks on it, with what {@link dev.holdfast.testkit.LockContract} says of locks anywhere;
 * their groups are the {@code Cases}. A store brings a {@code StoreFixture}; one on a real server far away extends
 * {@link dev.holdfast.testkit.RemoteFixture}. The packages below: {@code documents} has the contract of documents, {@code fixture} and
 * {@code machine} what fixtures are made of, {@code simulation} the simulation, {@code servers} real servers, {@code process} other
 * JVMs of ours, {@code fuzz} damaged inputs.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
