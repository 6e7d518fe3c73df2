package dev.holdfast.server.config.settings;

import java.util.Locale;

/**
 * A name as it is compared: {@code locker.dynamodb.tableName}, {@code LOCKER_DYNAMODB_TABLE_NAME} and {@code
 * locker.dynamodb.table-name} are one.
 */
record RelaxedName(String letters) {
    static RelaxedName of(String spelled) {
        return new RelaxedName(spelled.toLowerCase(Locale.ROOT).replaceAll("[._-]", ""));
    }

    boolean startsWith(RelaxedName other) {
        return letters.startsWith(other.letters);
    }
}
