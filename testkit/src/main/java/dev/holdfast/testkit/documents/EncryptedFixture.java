package dev.holdfast.testkit.documents;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Any documents, with encrypted contents. */
public final class EncryptedFixture implements DocumentFixture {
    private final DocumentFixture plain;
    private final MasterKeys keys = keys('a');

    private EncryptedFixture(DocumentFixture plain) {
        this.plain = plain;
    }

    /** The same place as this fixture's. */
    public static DocumentFixture on(DocumentFixture plain) {
        return new EncryptedFixture(plain);
    }

    /** Keys that are the same for the same letters, the first for writing. */
    public static MasterKeys keys(char... letters) {
        List<String> names =
                new String(letters).chars().mapToObj(c -> "env:KEY_" + (char) c).toList();
        return MasterKeys.open(names, Map.of("KEY_a", key(1), "KEY_b", key(2), "KEY_c", key(3)));
    }

    /** 32 bytes that look random. */
    private static String key(int seed) {
        byte[] bytes = new byte[32];
        new java.util.Random(seed).nextBytes(bytes);
        return java.util.HexFormat.of().formatHex(bytes);
    }

    @Override
    public DocumentStore open() {
        return EncryptedDocuments.on(plain.open(), keys);
    }

    @Override
    public boolean endsOnClose() {
        return plain.endsOnClose();
    }

    @Override
    public int many() {
        return Math.min(plain.many(), 250); // names are not encrypted: the pages are those of the plain store
    }

    @Override
    public int large() {
        return plain.large();
    }

    @Override
    public int rounds() {
        return plain.rounds();
    }

    @Override
    public Optional<StoreFixture.Line> line() {
        return plain.line();
    }

    @Override
    public void close() {
        plain.close();
    }
}
