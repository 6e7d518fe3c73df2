package dev.holdfast.state.document;

import dev.holdfast.wire.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Compares two documents: first by the hashes of their units, then inside those that differ. */
final class Differences {
    /** Most units listed. */
    private static final int MAX_CHANGES = 10_000;
    /** Most attributes listed of one unit. */
    private static final int MAX_ATTRIBUTES = 200;

    private Differences() {}

    static StateDiff between(byte[] from, byte[] to, Work work) {
        Map<String, Units.Unit> before = Units.of(from, work);
        Map<String, Units.Unit> after = Units.of(to, work);
        Set<String> addresses = new TreeSet<>(before.keySet());
        addresses.addAll(after.keySet());
        List<StateDiff.Change> changes = new ArrayList<>();
        for (String address : addresses) {
            work.step();
            Units.Unit old = before.get(address);
            Units.Unit now = after.get(address);
            if (old != null && now != null && old.hash().equals(now.hash())) {
                continue;
            }
            if (changes.size() == MAX_CHANGES) {
                return new StateDiff(changes, false);
            }
            changes.add(change(address, Optional.ofNullable(old), Optional.ofNullable(now)));
        }
        return new StateDiff(changes, true);
    }

    private static StateDiff.Change change(String address, Optional<Units.Unit> old, Optional<Units.Unit> now) {
        if (old.isEmpty() || now.isEmpty()) {
            StateDiff.Kind kind = old.isEmpty() ? StateDiff.Kind.ADDED : StateDiff.Kind.REMOVED;
            return new StateDiff.Change(address, kind, List.of(), true);
        }
        Optional<Json> before = old.get().value();
        Optional<Json> after = now.get().value();
        if (before.isEmpty() || after.isEmpty()) {
            return new StateDiff.Change(address, StateDiff.Kind.CHANGED, List.of(), true);
        }
        Set<String> secret = new HashSet<>(Secrets.declared(before.get()));
        secret.addAll(Secrets.declared(after.get()));
        boolean hidden = Secrets.isSecret(address);
        Leaves was = new Leaves(secret).of(before.get(), hidden);
        Leaves is = new Leaves(secret).of(after.get(), hidden);
        if (was.tooMany() || is.tooMany()) {
            return new StateDiff.Change(address, StateDiff.Kind.CHANGED, List.of(), true);
        }
        return compared(address, was.found(), is.found());
    }

    private static StateDiff.Change compared(
            String address, Map<String, Leaves.Leaf> was, Map<String, Leaves.Leaf> is) {
        Set<String> paths = new TreeSet<>(was.keySet());
        paths.addAll(is.keySet());
        List<StateDiff.Attribute> attributes = new ArrayList<>();
        for (String path : paths) {
            Optional<Leaves.Leaf> a = Optional.ofNullable(was.get(path));
            Optional<Leaves.Leaf> b = Optional.ofNullable(is.get(path));
            if (a.map(Leaves.Leaf::value).equals(b.map(Leaves.Leaf::value))) {
                continue;
            }
            if (attributes.size() == MAX_ATTRIBUTES) {
                return new StateDiff.Change(address, StateDiff.Kind.CHANGED, attributes, false);
            }
            attributes.add(new StateDiff.Attribute(path, a.map(Leaves.Leaf::shown), b.map(Leaves.Leaf::shown)));
        }
        return new StateDiff.Change(address, StateDiff.Kind.CHANGED, attributes, true);
    }
}
