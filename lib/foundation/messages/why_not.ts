/** Why a document is not in an answer: the gates, why each stops it, and what to do. */
import type { Texts } from "./texts.ts";

export const WHY_NOT = {
  why_not_nothing: [
    '请指明文件、片段或句子，例如：muxue_rag why-not "问题" 文件:12-40',
    'Name a file, a chunk or a sentence: muxue_rag why-not "QUESTION" FILE:12-40',
  ],
  why_not_index_replaced: [
    "检索期间索引已被替换，请再试一次",
    "The index was replaced during the search. Try again",
  ],
  cli_help_cmd_why_not: [
    "说明某个文件或句子为什么不在检索结果中：停在哪一关、差多少、改哪项设置",
    "say why a file or sentence is not in an answer: the gate that stopped it, by how much, and the setting",
  ],
  cli_help_arg_why_not: [
    "问题，以及期望出现的文件（可带行号）",
    "the question, and the file that was expected, with or without lines",
  ],
  cli_help_text: ["期望出现的句子", "a sentence that was expected"],
  cli_help_chunk: ["期望出现的片段 id", "id of a chunk that was expected"],
  cli_why_not_missing: [
    '缺少问题。用法：muxue_rag why-not "问题" 文件[:行号]',
    'No question given. Usage: muxue_rag why-not "QUESTION" FILE[:LINES]',
  ],
  cli_why_not_many: [
    "只能指定一个问题和一个文件。问题含空格时请加引号",
    "Give one question and one file. Put a question of several words in quotes",
  ],

  why_not_gate_found: ["找到", "found"],
  why_not_gate_read: ["读取", "read"],
  why_not_gate_indexed: ["索引", "indexed"],
  why_not_gate_text: ["句子", "sentence"],
  why_not_gate_terms: ["词语", "words"],
  why_not_gate_filter: ["条件", "conditions"],
  why_not_gate_candidates: ["候选", "candidates"],
  why_not_gate_fusion: ["得分", "score"],
  why_not_gate_rerank: ["重排", "reranker"],
  why_not_gate_file_limit: ["每文件上限", "limit for a file"],
  why_not_gate_duplicate: ["重复", "duplicates"],
  why_not_gate_degree: ["匹配度", "match degree"],
  why_not_gate_budget: ["篇幅", "length"],
  why_not_gate_shown: ["已显示", "shown"],

  why_not_outside: ["不在可检索的文件夹中", "It is outside of the folders that are searched"],
  why_not_missing: ["没有这个文件{nearest}", "There is no such file{nearest}"],
  why_not_nearest: ["。名称相近的有：{paths}", ". Files with a similar name: {paths}"],
  why_not_gone: ["索引之后文件被删除或移走了", "The file was removed or moved after it was indexed"],
  why_not_folder: ["这是文件夹，不是文件", "It is a folder, not a file"],
  why_not_unknown_chunk: ["索引中没有这个片段", "No index has this chunk"],
  why_not_ignored: ["被忽略规则排除{rule}", "An ignore file leaves it out{rule}"],
  why_not_rule: ["：{file} 第 {line} 行的 {pattern}", ": {pattern} in line {line} of {file}"],
  why_not_excluded: ["被 files.exclude 中的 {pattern} 排除", "{pattern} in files.exclude leaves it out"],
  why_not_not_included: ["不在 files.include 的范围内", "No pattern of files.include names it"],
  why_not_removed: ["已由您从索引中移除", "You took it out of the index"],
  why_not_hidden: [
    "名称以点开头，视为隐藏文件",
    "Its name, or that of a folder above it, begins with a dot, so it is hidden",
  ],
  why_not_own: ["这是本程序自己的文件", "It belongs to this program"],
  why_not_link: ["这是链接，不会跟随", "It is a link, and links are not followed"],
  why_not_link_outside: ["这是指向文件夹之外的链接", "It is a link that leads out of the folder"],
  why_not_special: ["这是设备、管道之类的特殊文件", "It is a device, a pipe or the like"],
  why_not_too_large: [
    "文件为 {size} MB，超过上限 {limit} MB",
    "It has {size} MB, and the limit is {limit} MB",
  ],
  why_not_archive: ["压缩包不读取", "Archives are not read"],
  why_not_inner_rules: [
    "另一个可检索的文件夹包含它，而那里的规则排除了它",
    "Another folder that is searched contains it, whose rules leave it out",
  ],
  why_not_unreadable: ["无法读取所在位置：{problem}", "Its place could not be read: {problem}"],
  why_not_by_type: ["按类型不读取：{problem}", "It is not read because of its type: {problem}"],
  why_not_by_content: ["没有可索引的文字：{problem}", "It gave no text to index: {problem}"],
  why_not_failed: ["读取失败：{problem}", "It could not be read: {problem}"],
  why_not_old_text: [
    "最近一次读取失败（{problem}），索引中是以前的文字",
    "It could not be read the last time ({problem}), so the index has an earlier text",
  ],
  why_not_no_index: ["所在文件夹还没有索引", "Its folder has no index yet"],
  why_not_unusable: [
    "所在文件夹的索引不能使用：{problem}",
    "The index of its folder cannot be used: {problem}",
  ],
  why_not_new: ["还没有索引", "It has not been indexed yet"],
  why_not_changed: [
    "索引之后文件有改动，检索的是旧文字",
    "It has changed since it was indexed, so an old text was searched",
  ],
  why_not_settings: ["索引是用别的设置建立的（{keys}）", "The index was made with other settings ({keys})"],
  why_not_not_there: [
    "读出的文字里没有这句话{nearest}",
    "The sentence is not in the text that was read{nearest}",
  ],
  why_not_nowhere: ["所有索引里都没有这句话{nearest}", "No index has this sentence{nearest}"],
  why_not_passage: [
    "。最接近的是 {place}（{share} %）：{text}",
    ". Nearest is {place}, with {share} % of it: {text}",
  ],
  why_not_unread_pages: [
    "读出的文字里没有这句话，第 {pages} 页没有文字（可能是扫描件）{nearest}",
    "The sentence is not in the text that was read, and pages {pages} gave no text; they may be scans{nearest}",
  ],
  why_not_no_words: [
    "没有问题中的词，也没有相近的词：{words}",
    "It has no word of the question, nor a similar one: {words}",
  ],
  why_not_condition: ["不满足条件：{conditions}", "It does not meet: {conditions}"],
  why_not_out_of_scope: [
    "不在检索的范围内：{conditions}",
    "It is not in the part that was searched: {conditions}",
  ],
  why_not_below_lists: ["没有进入任何候选名单：{legs}", "No list of candidates has it: {legs}"],
  why_not_below_last: [
    "名次 {rank}，得分 {score}；最后一条结果得分 {last}",
    "Rank {rank} with a score of {score}; the last hit has {last}",
  ],
  why_not_recency: [
    "按日期从第 {before} 名降到第 {rank} 名",
    "Its date moved it from rank {before} to {rank}",
  ],
  why_not_moved_down: [
    "重排模型 {reranker} 把它从第 {before} 名移到第 {rank} 名",
    "The reranker {reranker} moved it from rank {before} to {rank}",
  ],
  why_not_file_full: [
    "同一文件已有 {count} 个更好的片段，最多显示 {most} 个",
    "{count} better {count|passage|passages} of its file came before it, and {most} may be shown",
  ],
  why_not_same_text: [
    "与 {place} 文字相同，由后者代表{hit}",
    "It has the same text as {place}, which stands for it{hit}",
  ],
  why_not_older_text: [
    "与 {place} 文字相同，后者更新，由后者代表{hit}",
    "It has the same text as {place}, which is newer and stands for it{hit}",
  ],
  why_not_twice: ["同一片段在另一个文件夹中已显示{hit}", "The same chunk is shown from another folder{hit}"],
  why_not_as_hit: ["（第 {hit} 条结果）", " (hit {hit})"],
  why_not_low: ["匹配度为{degree}，要求{wanted}", "Its match is {degree}, and {wanted} is asked for"],
  why_not_full: [
    "得分足够（第 {hit} 条），但前面的结果用完了字数",
    "Its score is enough for hit {hit}, but the hits before it used up the characters",
  ],
  why_not_shown: ["它在结果中：第 {hit} 条", "It is in the answer: hit {hit}"],
  why_not_joined: ["它在结果中，与相邻片段合为第 {hit} 条", "It is in the answer, as a part of hit {hit}"],

  why_not_hint_outside: [
    "索引它所在的文件夹：muxue_rag index 文件夹",
    "Index its folder: muxue_rag index FOLDER",
  ],
  why_not_hint_missing: ["请检查路径", "Check the path"],
  why_not_hint_index: ["更新索引：{command}", "Update the index: {command}"],
  why_not_hint_rebuild: ["重建索引：{command}", "Build the index anew: {command}"],
  why_not_hint_folder: ["请指明其中的文件", "Name a file in it"],
  why_not_hint_unknown_chunk: [
    "文件改动后片段的 id 会变。请改用文件和行号",
    "The id of a chunk changes with its text. Name the file and the lines instead",
  ],
  why_not_hint_rule: [
    "删去或改写这条规则，或在其后加上 !{name}",
    "Remove or change the rule, or add !{name} after it",
  ],
  why_not_hint_setting: [
    "修改配置中的 {key}，再更新索引",
    "Change {key} in the configuration and update the index",
  ],
  why_not_hint_value: ["把 {key} 从 {value} 改为 {needed}", "Change {key} from {value} to {needed}"],
  why_not_hint_removed: [
    "在网页的“导入”中放回，或从 .muxue_rag/removed.json 中删去",
    "Give it back on the web page Ingestion, or delete it from .muxue_rag/removed.json",
  ],
  why_not_hint_rename: ["改名，使名称不以点开头", "Give it a name without the dot"],
  why_not_hint_own: ["不能索引它", "It cannot be indexed"],
  why_not_hint_link: [
    "索引链接指向的文件，或把文件复制过来",
    "Index the file that it leads to, or put a copy in its place",
  ],
  why_not_hint_read: [
    "用原来的软件打开检查，另存为 PDF、Office、文本等格式",
    "Open it in its own program and save it as PDF, an Office format or text",
  ],
  why_not_hint_inner: ["修改那个文件夹的规则", "Change the rules of that folder"],
  why_not_hint_text: [
    "用 muxue_rag extract 查看读出的文字，并核对这句话",
    "See what was read with muxue_rag extract, and check the sentence",
  ],
  why_not_hint_nowhere: [
    "如果知道它在哪个文件中，请指明文件，看它是否已读取",
    "If you know its file, name that as well, to see whether it was read",
  ],
  why_not_hint_words: [
    "用文档中的词提问，或在 search.synonyms 中加入同义词",
    "Ask with words of the document, or add synonyms to search.synonyms",
  ],
  why_not_hint_filter: ["去掉这个条件再试", "Remove the condition and try again"],
  why_not_hint_whole: ["在全部文件夹中检索", "Search all folders"],
  why_not_hint_candidates: ["用文档中更多的词提问", "Ask with more words of the document"],
  why_not_hint_top_k: [
    "把 top_k 改为 {needed}，或看后面的页；也可以问得更具体",
    "Ask for {needed} hits, see the next pages, or ask more precisely",
  ],
  why_not_hint_precise: ["问得更具体，用文档中的词", "Ask more precisely, with words of the document"],
  why_not_hint_rerank: [
    "换一个重排模型，或设 rerank.provider 为 maxsim",
    "Use another reranker, or set rerank.provider to maxsim",
  ],
  why_not_hint_duplicate: ["打开代表它的文档即可", "Open the document that stands for it"],
  why_not_hint_budget: [
    "增大 search.max_chars，或减少结果数",
    "Raise search.max_chars, or ask for fewer hits",
  ],
  why_not_hint_none: ["无需更改", "Nothing has to change"],

  why_not_passed_read: ["{format}{pages}", "{format}{pages}"],
  why_not_pages: ["，{count} 页", ", {count} {count|page|pages}"],
  why_not_passed_indexed: ["{count} 个片段，{time}", "{count} {count|chunk|chunks}, {time}"],
  why_not_needless: ["不要求（{words}）", "not needed ({words})"],
  why_not_passed_fusion: ["第 {rank} 名，得分 {score}", "rank {rank}, score {score}"],
  why_not_no_conditions: ["没有条件", "no conditions"],
  why_not_word_same: ["{word}：有（{chunks} 处）", "{word}: there (in {chunks} {chunks|chunk|chunks})"],
  why_not_word_form: ["{word}：作 {form}", "{word}: as {form}"],
  why_not_word_similar: ["{word}：相近的 {form}（{likeness}）", "{word}: similar, {form} ({likeness})"],
  why_not_word_translated: ["{word}：译为 {form}（{likeness}）", "{word}: translated, {form} ({likeness})"],
  why_not_word_absent: ["{word}：无（别处 {chunks} 处）", "{word}: not there (elsewhere in {chunks})"],
  why_not_leg_keyword: ["关键词", "keywords"],
  why_not_leg_vector: ["向量", "vectors"],
  why_not_leg_neural: ["模型", "models"],
  why_not_leg: ["{leg}第 {rank} 名，取前 {limit} 名", "{leg}: rank {rank}, {limit} are taken"],
  why_not_leg_beyond: [
    "{leg}前 {within} 名中没有，取前 {limit} 名",
    "{leg}: not among the first {within}, {limit} are taken",
  ],
  why_not_todo: ["→ {hint}", "→ {hint}"],
  why_not_summary: ["{name}：{text}", "{name}: {text}"],
} satisfies Texts;
