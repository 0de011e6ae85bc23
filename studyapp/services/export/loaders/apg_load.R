# Read a study's bundle (its zip, or the unpacked folder) in R. Base R is enough.
#
#   source("apg_load.R")
#   study <- apg_load("study.zip")    # or the folder
#   study$long                        # one data frame for each table
#
# Texts come back exactly as they were given: the apostrophe before what a spreadsheet would run as
# a formula is taken off. Empty cells are missing values (NA), the answer "NA" is a text.
# Every table is compared with the row count in manifest.json.

apg_load <- function(place) {
  if (!dir.exists(place)) {
    folder <- tempfile("apg")
    on.exit(unlink(folder, recursive = TRUE))
    utils::unzip(place, exdir = folder)
    place <- folder
  }
  manifest <- paste(readLines(file.path(place, "manifest.json"), encoding = "UTF-8"), collapse = "\n")
  names <- list.files(place, pattern = "[.]csv$")
  tables <- lapply(names, function(name) apg_table(file.path(place, name), manifest))
  stats::setNames(tables, sub("[.]csv$", "", names))
}

apg_table <- function(path, manifest) {
  table <- utils::read.csv(
    path, colClasses = "character", na.strings = character(0), encoding = "UTF-8",
    check.names = FALSE, quote = "\"", comment.char = "", strip.white = FALSE,
    stringsAsFactors = FALSE
  )
  names(table) <- apg_plain(names(table))
  expected <- apg_rows(manifest, basename(path))
  if (nrow(table) != expected) {
    stop(sprintf("%s has %d rows; manifest.json counts %d", basename(path), nrow(table), expected))
  }
  wide <- if (basename(path) == "wide.csv") apg_numbers(manifest) else character(0)
  for (name in names(table)) {
    table[[name]] <- apg_typed(apg_plain(table[[name]]), name, wide)
  }
  table
}

# The full-width forms of = + - @ are written by number, so that any locale can read this file.
apg_plain <- function(text) {
  wide <- intToUtf8(c(0xFF1D, 0xFF0B, 0xFF0D, 0xFF20))
  pattern <- paste0("^'(?='*[=+@\\t\\r\\n", wide, "\\-])")
  sub(pattern, "", enc2utf8(text), perl = TRUE)
}

apg_rows <- function(manifest, name) {
  entry <- regmatches(manifest, regexpr(
    sprintf("\"%s\": \\{\\s*\"rows\": [0-9]+", gsub(".", "[.]", name, fixed = TRUE)), manifest,
    perl = TRUE
  ))
  as.integer(sub(".*: ", "", entry))
}

# Ratings are numbers in the wide table; in the long one value is a text.
apg_numbers <- function(manifest) {
  pattern <- "\"key\": \"([^\"]+)\",\\s*\"kind\": \"(rating|confidence)\""
  found <- regmatches(manifest, gregexpr(pattern, manifest, perl = TRUE))[[1]]
  keys <- sub(pattern, "\\1", found, perl = TRUE)
  arms <- regmatches(manifest, regexpr("\"arms\": \\[[^]]*\\]", manifest, perl = TRUE))
  arms <- sub("\"arms\": ", "", arms)
  arms <- regmatches(arms, gregexpr("\"[^\"]+\"", arms))[[1]]
  c(keys, outer(keys, gsub("\"", "", arms), paste, sep = "_"))
}

apg_typed <- function(text, name, wide) {
  whole <- c(
    "trial_order", "dwell_visible_ms", "n_changes", "changes", "screening_attempts", "event",
    "sequence", "after_ms"
  )
  decimal <- c("visible_seconds", "scroll_coverage")
  flags <- c("is_test", "is_bot", "attention_pass", "is_erased")
  times <- c(
    "presented_at", "answered_at", "consented_at", "background_at", "completed_at", "marked_at",
    "at"
  )
  text[text == ""] <- NA_character_
  if (name %in% c(whole, wide)) return(as.integer(text))
  if (name %in% decimal) return(as.numeric(text))
  if (name %in% flags) return(text == "true")
  if (name %in% times) {
    return(as.POSIXct(sub("[+]00:00$", "", text), format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
  }
  text
}
