package dev.holdfast.cli.state.access;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.connect.PagedItems;
import dev.holdfast.cli.connect.PagedItems.Page;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.client.ServerStates;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the state is that a command is about: behind a server, or in stores this process opens itself. */
public final class StateTarget {
    private static final String VARIABLE = "HOLDFAST_STATE_STORE";
    /** The same as that of a server. */
    private static final String KEYS = "HOLDFAST_STATE_ENCRYPTION_KEYS";

    @Mixin
    private Target target;

    @Option(
            names = "--state-store",
            paramLabel = "URL",
            description = "Without a server: where the documents are (" + VARIABLE
                    + "), such as s3://bucket/prefix; default: beside the locks of --store.")
    private Optional<String> stateStore = Optional.empty();

    @Option(
            names = "--state-key",
            paramLabel = "SOURCE",
            split = ",",
            description = "Without a server: where the master keys of encrypted state are (" + KEYS
                    + "), file:PATH, env:VARIABLE or kms:ARN; the first encrypts what is saved, all decrypt.")
    private List<String> stateKeys = List.of();

    private boolean visibleLocks;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public Target target() {
        return target.of(spec);
    }

    public record OpenedState(LockClient locks, StateManager states, Optional<DocumentStore> documents)
            implements AutoCloseable {
        @Override
        public void close() {
            try {
                closeState();
            } finally {
                locks.close();
            }
        }

        public void closeState() {
            try {
                states.close();
            } finally {
                documents.ifPresent(DocumentStore::close);
            }
        }
    }

    /** What is known of the current version. A document that others put there tells nothing about itself unless it is read. */
    public static Optional<StateVersion> current(StateManager states, Stack stack) {
        return states.current(stack).or(() -> states.load(stack).map(LoadedState::version));
    }

    /** All versions there are, newest first, so many at a time. */
    public static Stream<StateVersion> versions(StateManager states, Stack stack, int limit) {
        return PagedItems.of((Optional<String> place) -> {
            HistoryPage page = states.history(stack, limit, place);
            return new Page<>(page.versions(), page.next());
        });
    }

    /** To look only: a file that is not there is not made. */
    public OpenedState look() {
        return open(target().openExisting(Operator.config()));
    }

    /** To change something, in this name. */
    public OpenedState open(String owner) {
        return open(target().open(ClientConfig.DEFAULT.withOwner(owner)));
    }

    /** On locks that are open; they are closed if the state cannot be opened. */
    public OpenedState open(LockClient locks) {
        try {
            return opened(locks);
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    /** Files beside the state show who holds it, if so. */
    public void showLocks(boolean shown) {
        refuse(
                shown && target().store().isEmpty(),
                "--visible-locks goes with --store; a server has the setting state.visible-locks");
        visibleLocks = shown;
    }

    public LockClient locks() {
        check();
        return target().openExisting(Operator.config());
    }

    private OpenedState opened(LockClient locks) {
        check();
        Optional<String> store = target().store();
        if (store.isEmpty()) {
            return new OpenedState(
                    locks, ServerStates.on(locks, target().servers(), Operator.config()), Optional.empty());
        }
        String documents = documents().orElseGet(() -> StoreFile.isMissing(store.get()) ? "memory:" : store.get());
        StateConfig config =
                StateConfig.DEFAULT.withVisibleLocks(visibleLocks).withKeys(MasterKeys.open(keys(), System.getenv()));
        try {
            DocumentStore opened = DocumentStores.open(documents, Target.PATIENCE);
            return new OpenedState(locks, StateManager.on(locks, opened, config), Optional.of(opened));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ". Say where the documents are with --state-store", e);
        }
    }

    /** Refuses what would be about other locks or documents than it seems. */
    private void check() {
        boolean named = spec.commandLine().getParseResult().hasMatchedOption("--namespace");
        boolean server = target().store().isEmpty();
        refuse(
                named && !target().namespace().orElse("").equals(Stack.NAMESPACE),
                "Stacks are locked in the namespace '" + Stack.NAMESPACE + "'; leave out -N");
        refuse(
                !stateKeys.isEmpty() && server,
                "--state-key goes with --store; a server has the setting state.encryption.keys");
        refuse(
                stateStore.isPresent() && server,
                "--state-store goes with --store; a server knows where its documents are (state.store)");
    }

    private void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), why);
        }
    }

    private Optional<String> documents() {
        return stateStore.or(() -> Target.set(VARIABLE));
    }

    /** Where they are, not the keys themselves. */
    private List<String> keys() {
        return stateKeys.isEmpty()
                ? Stream.of(Target.set(KEYS).orElse("").split(","))
                        .filter(source -> !source.isBlank())
                        .toList()
                : stateKeys;
    }

    /** The same place, for commands that are started from this one. */
    public Map<String, Optional<String>> variables() {
        Map<String, Optional<String>> variables = target().connection().variables();
        if (target().store().isPresent()) {
            variables.put(VARIABLE, documents());
            variables.put(KEYS, keys().isEmpty() ? Optional.empty() : Optional.of(String.join(",", keys())));
        }
        return variables;
    }
}
