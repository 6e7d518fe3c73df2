package dev.holdfast.cli;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.state.Stack;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the state is that a command is about: behind a server, or in stores this process opens itself. */
final class StateTarget {
    private static final String VARIABLE = "HOLDFAST_STATE_STORE";

    @Mixin
    private Target target;

    @Option(
            names = "--state-store",
            paramLabel = "URL",
            description = "Without a server: where the documents are (" + VARIABLE
                    + "), such as s3://bucket/prefix; default: beside the locks of --store.")
    private Optional<String> stateStore = Optional.empty();

    private boolean visibleLocks;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    Target target() {
        return target;
    }

    /** Locks and state, both open. */
    record Open(LockClient locks, States states) implements AutoCloseable {
        @Override
        public void close() {
            try {
                states.close();
            } finally {
                locks.close();
            }
        }
    }

    /** To look only: a file that is not there is not made. */
    Open look() {
        return open(target.openExisting(Operator.config()));
    }

    /** To change something, in this name. */
    Open open(String owner) {
        return open(target.open(ClientConfig.DEFAULT.withOwner(owner)));
    }

    /** On locks that are open; they are closed if the state cannot be opened. */
    Open open(LockClient locks) {
        try {
            return new Open(locks, states(locks));
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    /** Files beside the state show who holds it, if so. */
    void showLocks(boolean shown) {
        if (shown && target.store().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--visible-locks goes with --store; a server has the setting state.visible-locks");
        }
        visibleLocks = shown;
    }

    /** Only the locks. */
    LockClient locks() {
        check();
        return target.openExisting(Operator.config());
    }

    private States states(LockClient locks) {
        check();
        Optional<String> store = target.store();
        if (store.isEmpty()) {
            return new ServerStates(new StateServer(target.servers()));
        }
        String documents = documents().orElseGet(() -> StoreFile.isMissing(store.get()) ? "memory:" : store.get());
        try {
            return new StoreStates(locks, DocumentStores.open(documents, Target.PATIENCE), visibleLocks);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ". Say where the documents are with --state-store", e);
        }
    }

    /** Refuses what would be about other locks or documents than it seems. */
    private void check() {
        boolean named = spec.commandLine().getParseResult().hasMatchedOption("--namespace");
        if (named && !target.namespace().orElse("").equals(Stack.NAMESPACE)) {
            throw new ParameterException(
                    spec.commandLine(), "Stacks are locked in the namespace '" + Stack.NAMESPACE + "'; leave out -N");
        }
        if (stateStore.isPresent() && target.store().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--state-store goes with --store; a server knows itself where its documents are (state.store)");
        }
    }

    private Optional<String> documents() {
        return stateStore.or(() -> Optional.ofNullable(System.getenv(VARIABLE)).filter(value -> !value.isBlank()));
    }

    /** The same place, for commands that are started from this one. */
    Map<String, Optional<String>> variables() {
        Map<String, Optional<String>> variables = new LinkedHashMap<>();
        boolean server = target.store().isEmpty();
        variables.put("HOLDFAST_SERVER", server ? Optional.of(target.url()) : Optional.empty());
        variables.put("HOLDFAST_STORE", target.store());
        if (!server) {
            variables.put(VARIABLE, documents());
        }
        return variables;
    }
}
