package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.guard.Registration;
import java.util.List;
import java.util.Optional;

/** The guard a command is about: behind a server, or in a store this process opens itself. Answers are as those of a server. */
interface Guards extends AutoCloseable {
    /** All apps. */
    List<JsonTree> apps() throws InterruptedException;

    /** Registers all of them, or none; what is registered, but likely not meant so. */
    List<String> register(List<Registration> apps) throws InterruptedException;

    /** Forgets an app. */
    void forget(String app) throws InterruptedException;

    /** What is shared: all, or one. */
    List<JsonTree> resources(Optional<String> dbIdentifier) throws InterruptedException;

    /** Stops what an app uses, or only tells. */
    JsonTree stop(String app, boolean dryRun) throws InterruptedException;

    /** Starts what an app uses, or only tells. */
    JsonTree start(String app, boolean dryRun) throws InterruptedException;

    @Override
    void close();
}
