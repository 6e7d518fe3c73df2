package dev.holdfast.documents.keys;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The master keys of a place: the first wraps what is written, all open what is read. To change the key, put the new one in front; to
 * withdraw the old one, wait until nothing is under it any more.
 */
public final class MasterKeys {
    /** No keys: nothing is encrypted, and what is cannot be read. */
    public static final MasterKeys NONE = new MasterKeys(List.of(), false);
    /** Most keys at one time. */
    public static final int MAX_KEYS = 20;

    private final List<MasterKey> keys;
    private final boolean required;

    private MasterKeys(List<MasterKey> keys, boolean required) {
        this.keys = List.copyOf(keys);
        this.required = required;
    }

    /**
     * From these keys.
     *
     * @throws IllegalArgumentException if they are too many, or the same twice
     */
    public static MasterKeys of(List<MasterKey> keys) {
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("there may be " + MAX_KEYS + " master keys, not " + keys.size());
        }
        Set<String> ids = new HashSet<>();
        for (MasterKey key : keys) {
            if (!key.id().matches("[A-Za-z0-9._:-]{1," + MasterKey.MAX_ID + "}")) {
                throw new IllegalArgumentException("the id of a master key must be 1 to " + MasterKey.MAX_ID
                        + " letters, digits and . _ : -, was '" + key.id() + "'");
            }
            if (!ids.add(key.id())) {
                throw new IllegalArgumentException("master key " + key.id() + " is named twice; leave one out");
            }
        }
        return new MasterKeys(keys, false);
    }

    /**
     * From where they are: {@code file:/etc/holdfast/state.key}, {@code env:STATE_KEY}, or {@code kms:ARN} with holdfast-s3 on the
     * class path. A key in a file or a variable is 32 bytes in base64 or hexadecimal; the file must be closed to others.
     *
     * @param environment usually {@link System#getenv()}
     * @throws IllegalArgumentException if one cannot be had, saying which and why; never with a key
     */
    public static MasterKeys open(List<String> sources, Map<String, String> environment) {
        List<MasterKey> keys = new ArrayList<>();
        for (String source : sources) {
            keys.add(KeySources.open(source.strip(), environment));
        }
        return of(keys);
    }

    /** The same, refusing to read what is not encrypted. */
    public MasterKeys required() {
        return new MasterKeys(keys, true);
    }

    /** Whether what is not encrypted is refused. */
    public boolean isRequired() {
        return required;
    }

    /** Under which new documents are kept; empty: they are not encrypted. */
    public Optional<MasterKey> first() {
        return keys.stream().findFirst();
    }

    /** The key with this id. */
    public Optional<MasterKey> find(String id) {
        return keys.stream().filter(key -> key.id().equals(id)).findFirst();
    }

    /** Their ids. */
    @Override
    public String toString() {
        return keys.isEmpty()
                ? "no master keys"
                : keys.stream().map(MasterKey::id).collect(Collectors.joining(", ", "master keys ", ""));
    }
}
